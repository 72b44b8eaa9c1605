// The one seam to the merchant library. It is taken from its source, because types and tests must stand on a fresh checkout,
// where the library is not built yet; the build of this program puts it into the one file.
export {
  type BookDifference,
  type CreateOrderParams,
  type Delivery,
  type EventKind,
  Florin,
  FlorinError,
  type FlorinEvent,
  formatUnits,
  type Order,
  parseUnits,
  type SimulateAction,
  signTestWebhook,
} from '../../sdk/src/index.ts'
