"""A first deployment: manifest, worker arguments and request that fit together."""
