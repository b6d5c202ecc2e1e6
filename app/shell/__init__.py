"""The window and the application around it: menus, toolbar, drag and drop, and state stored between starts."""
