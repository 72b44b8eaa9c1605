// What page.mjs exports.
export function buildPage(): Promise<string>
