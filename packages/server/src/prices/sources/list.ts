// The sources that an install asks. Pure.
import type { FxSourceSetting } from '../../settings.ts'
import type { Adapter } from './adapter.ts'
import { boc, cnb, ecb } from './banks.ts'
import { frankfurter } from './frankfurter.ts'
import { coinbase, kraken, yadio } from './markets.ts'
import { fixed, own } from './own.ts'
import type { BuiltInSource } from './setting.ts'

const builtIn: Readonly<Record<BuiltInSource, Adapter>> = {
  ...{ ecb, frankfurter, boc, cnb, coinbase, kraken, yadio, fixed },
}

export const adaptersOf = (settings: readonly FxSourceSetting[]): Adapter[] =>
  settings.map(({ id, url }) => (url === null ? builtIn[id as BuiltInSource] : own(id, url)))
