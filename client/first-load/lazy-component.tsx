import { type ComponentType, lazy, useState } from 'react'

/** A component whose code is loaded when it is first rendered, or before that by `preload`. */
export type LazyComponent<Props extends object> = ComponentType<Props> & {
  /** Never rejects: a component that could not be loaded reports it when it is rendered. */
  preload(): Promise<void>
  /** Whether it renders at once. */
  isLoaded(): boolean
}

/**
 * Like `lazy` of React, for the export `name`. A component that was preloaded renders at once: React
 * would show the fallback first, and keep it for 300 ms.
 */
export function lazyComponent<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  const Lazy = lazy<ComponentType<Props>>(async () => ({ default: (await load())[name] }))

  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, like `lazy` itself.
  function Loading(props: Props) {
    // Fixed at the first render, because another type would lose the component's state.
    const [Current] = useState(() => loaded ?? (Lazy as unknown as ComponentType<Props>))
    return <Current {...props} />
  }

  return Object.assign(Loading, {
    async preload() {
      const module = await load().catch(() => undefined)
      loaded = module?.[name]
    },
    isLoaded: () => loaded !== undefined,
  })
}

/** A lazy component that a screen can do without: it renders nothing if its code cannot be loaded. */
export const optionalComponent: typeof lazyComponent = (load, name) =>
  lazyComponent(() => load().catch(() => ({ [name]: () => null }) as never), name)
