"""The language of the shell: syntax, parser, expansion and interpreter, as mksh has them."""
