// The one entry of what crosses the wire; signature.ts stands apart because only it needs node:crypto.
export * from './amounts.ts'
export * from './checkout.ts'
export * from './console.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './keys.ts'
export * from './limits.ts'
export * from './order.ts'
