// Links that look like Mantine's buttons and anchors and go through the router, with its types.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { ComponentProps, Ref } from 'react'

type Native<Own> = Own & Omit<ComponentProps<'a'>, keyof Own | 'ref'> & { ref?: Ref<HTMLAnchorElement> }

const ButtonLink = (props: Native<ButtonProps>) => <Button component="a" {...props} />
const TextLink = (props: Native<AnchorProps>) => <Anchor component="a" {...props} />

export const LinkButton: LinkComponent<typeof ButtonLink> = createLink(ButtonLink)
export const LinkAnchor: LinkComponent<typeof TextLink> = createLink(TextLink)
