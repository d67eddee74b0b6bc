"""Where the phones of a run come from: connected ones, copies of an emulator, virtual ones of a caller."""
