// Every planted bug: about a hundred that would cost money, let somebody in, or lose what has to be delivered.
import { accessBugs } from './planted/access-bugs.ts'
import { deliveryBugs } from './planted/delivery-bugs.ts'
import { moneyBugs } from './planted/money-bugs.ts'
import { recoveryBugs } from './planted/recovery-bugs.ts'
import type { PlantedBug } from './planted-bug.ts'

export const planted: readonly PlantedBug[] = [...moneyBugs, ...accessBugs, ...deliveryBugs, ...recoveryBugs]
