// The version that the service sees in User-Agent; a test holds it equal to package.json.
export const VERSION = '0.1.0'
