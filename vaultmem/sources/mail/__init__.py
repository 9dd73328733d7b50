"""Mails and mailboxes -> messages."""
