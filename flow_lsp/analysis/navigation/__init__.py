"""Going through `.flow` files: what a name means, where it stands, the outline, folding and selecting, renaming."""
