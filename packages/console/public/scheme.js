// Sets the colour scheme before the first paint. It is a file of its own because the page's policy allows no inline script.
;(() => {
  let wanted = null
  try {
    wanted = localStorage.getItem('florin.scheme')
  } catch {
    // Storage may be forbidden; the system's preference is used then.
  }
  const dark = wanted === 'dark' || (wanted !== 'light' && window.matchMedia?.('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
