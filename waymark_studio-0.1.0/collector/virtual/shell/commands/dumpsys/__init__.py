"""``dumpsys`` of the virtual phone, a module a service."""
