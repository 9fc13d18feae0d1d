"""The sums over bodies of [Wilde2018], as the paper writes them."""
