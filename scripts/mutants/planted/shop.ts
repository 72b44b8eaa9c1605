// Bugs in what a shop shows to its payers.
import { type Mutant, plant } from '../plant.ts'

const server = 'packages/server/src'

export const shopMutants: readonly Mutant[] = [
  ...plant({ file: `${server}/brand/picture-header.ts`, tests: [`${server}/brand/picture-header.test.ts`] }, [
    {
      name: 'shop: the first part of a picture says its size for all',
      find: 'for (const [width, height] of sizes) {',
      put: 'for (const [width, height] of sizes.slice(0, 1)) {',
      breaks: 'A small canvas hides a picture that takes all memory.',
      unseen: true,
    },
    {
      name: 'shop: texts of a picture are decoded',
      find: 'if (drawn.has(kind)) kept.push',
      put: 'kept.push',
      breaks: 'A few kilobytes of packed text take all memory; where a photo was taken reaches the decoder.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/brand/change.ts`, tests: [`${server}/brand/brand.test.ts`] }, [
    {
      name: 'shop: a stolen session says where payers ask for help',
      find: 'if (!isSameContact(before, fields)) requireFresh(caller)',
      put: '',
      breaks: 'Payers who miss their money are sent to a thief.',
      unseen: true,
    },
    {
      name: 'shop: the newest change of a brand undoes another',
      find: 'if (row?.publicId !== before?.publicId) return false',
      put: '',
      breaks: 'Who sets a colour while the logo is uploaded gets a preview of before.',
    },
  ]),
  ...plant({ file: `${server}/keys/rules.ts`, tests: [`${server}/keys/keys.test.ts`] }, [
    {
      name: 'shop: a live key that can make no order',
      find: "if (mode === 'live' && !hasLiveRail)",
      put: "if (mode === 'live' && hasLiveRail && !hasLiveRail)",
      breaks: 'A shop goes live, and its first customer finds out that it did not.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/addresses/store.ts`, tests: [`${server}/addresses/addresses.test.ts`] }, [
    {
      name: 'shop: the newest address is the default',
      find: 'select 1 from receiving_addresses where merchant_id = ${merchantId} and chain <> ${chain} limit 1',
      put: 'select 1 from receiving_addresses where merchant_id = ${merchantId} and chain = null limit 1',
      breaks: 'Whoever adds an address for one customer sends the money of all others there.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/checkout/routes.ts`, tests: [`${server}/checkout/checkout.test.ts`] }, [
    {
      name: 'shop: strangers have nodes asked without end',
      find: '      door.countLook(order, actorOf(deps, request))\n',
      put: '',
      breaks: 'Who holds a link uses up what the providers of the chain allow.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/protocol/src/brand.ts', tests: ['packages/protocol/test/brand.test.ts'] }, [
    {
      name: 'shop: an accent that cannot be seen',
      find: 'if ((isSeen && contrastOf(press, on_press) >= TEXT_CONTRAST)',
      put: 'if ((contrastOf(press, on_press) >= TEXT_CONTRAST)',
      breaks: 'A yellow button on white is no button.',
      unseen: true,
    },
  ]),
]
