"""The structs that users hold: options, statistics, contacts, ... on their own, or as views into a model or its data."""
