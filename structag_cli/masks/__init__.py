"""What a tag lets a tokenizer emit: masks, walks, bans and their leaks."""
