"""How memory grows: which leaves a summary folds, and which sentences it keeps."""
