"""The agent `openai`: models behind any endpoint that speaks OpenAI's chat completions, with images."""
