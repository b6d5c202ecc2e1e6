"""Contacts in the view: selection by click, mark, legend and arrow length."""
