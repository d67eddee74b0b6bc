"""Files that trainers read: conversations as rows, their pictures, and a card; for exports and for judges."""
