import { Skeleton } from './skeleton.tsx'

/** Rows of a list that loads, 4 rem each: a picture, two lines of text and what stands at their end. */
export function SkeletonRows({ count }: { count: number }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never change.
    <div key={row} aria-hidden="true" className="flex h-16 items-center gap-3">
      <Skeleton className="size-10 shrink-0 rounded-full" />
      <div className="grow">
        <Skeleton className="h-4 w-28" />
        <Skeleton className="mt-2 h-3 w-36 max-w-full" />
      </div>
      <Skeleton className="h-4 w-16" />
    </div>
  ))
}
