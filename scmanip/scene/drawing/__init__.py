"""Static pictures: a camera, a rasteriser and figures of matplotlib; knows no systems."""
