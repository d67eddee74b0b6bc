"""The messenger: chats, people, search, and people who answer."""
