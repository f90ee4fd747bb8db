package main

// compatName is the tool whose web interface serve can stand behind.
const compatName = "wikirace-llms"
