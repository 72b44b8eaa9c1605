import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || /\.[cm]?js$/.test(specifier)) return next(specifier, context)
    try { return next(specifier + '.js', context) } catch { return next(specifier + '/index.js', context) }
  },
})