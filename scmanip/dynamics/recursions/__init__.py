"""Recursions in link axes [Angeles1989], composite and articulated bodies [Featherstone2008]."""
