"""The window and the application around it: menus, toolbar, what is dropped, what a start and an end remember."""
