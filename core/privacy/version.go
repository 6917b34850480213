package privacy

// LibraryVersion is the version that releases carry and that the client
// reports. site/package.json says the same; a test of wasm/api compares them.
const LibraryVersion = "0.1.0"
