"""Author conditions by clicking on a screen: node picker, menus and marks; shared by Rules and States."""
