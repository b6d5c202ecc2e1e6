"""What a picture shows where."""
