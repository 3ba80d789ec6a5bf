import {
  type ComponentType,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from 'react'
import type { ScreenNamespace } from '#client/language/catalogues.ts'
import { withTexts } from '#client/language/load-texts.ts'

/** What is shown while the code is loading; without it a `Suspense` around the component decides. */
type Fallback = { fallback?: ReactNode }

export type LazyComponent<Props extends object> = FunctionComponent<Props & Fallback> & {
  /** Never rejects: a component that could not be loaded reports it when it is rendered. */
  preload(): Promise<void>
  isLoaded(): boolean
}

type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode
  ? Props
  : never

/** Real ms after which code counts as one that cannot be loaded: a connection that died does not report it. */
const LIMIT_MS = 60_000

const inTime = <T,>(loading: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(reject, LIMIT_MS, new Error('Too slow'))
    loading.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** `lazy` with texts. A preloaded component renders at once: React would show the fallback first, for 300 ms. */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  ...texts: ScreenNamespace[]
): LazyComponent<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>
  let loaded: ComponentType<Props> | undefined
  const loadAll = async () => (await withTexts(load(), texts))[name] as ComponentType<Props>
  const Lazy = lazy<ComponentType<Props>>(async () => ({ default: await inTime(loadAll()) }))

  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, like `lazy` itself.
  function Loading({ fallback, ...props }: Props & Fallback) {
    // Fixed at the first render, because another type would lose the component's state.
    const [Current] = useState(() => loaded ?? (Lazy as unknown as ComponentType<Props>))
    const component = <Current {...(props as unknown as Props)} />
    return fallback === undefined ? component : <Suspense fallback={fallback}>{component}</Suspense>
  }

  return Object.assign(Loading, {
    async preload() {
      loaded = await loadAll().catch(() => undefined)
    },
    isLoaded: () => loaded !== undefined,
  })
}

/** A lazy component that a screen can do without: it renders nothing if its code cannot be loaded. */
export const optionalComponent: typeof lazyComponent = (load, name, ...texts) =>
  lazyComponent(
    // This limit ends before the one of the component, which would fail the screen.
    () => inTime(withTexts(load(), texts)).catch(() => ({ [name]: () => null }) as never),
    name,
  )
