"""What leaving tools out of the prompt costs: prompts rendered, tokens compared."""
