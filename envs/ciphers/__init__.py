"""Encryption and decryption, with and without the key."""
