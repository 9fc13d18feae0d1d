"""What readers of other tools' files share: XML with its places, what elements may say, tables, meshes."""
