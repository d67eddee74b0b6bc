"""The messenger: chats, contacts, search, and contacts that answer."""
