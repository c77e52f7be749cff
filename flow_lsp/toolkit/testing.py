"""Running a Tool in process, for authors' tests."""
