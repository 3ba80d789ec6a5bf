import { TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { MainRegion } from '#client/layout/main-region.tsx'
import { Button } from '#client/ui/button.tsx'
import { Panel } from '#client/ui/panel.tsx'

export function NotFoundScreen() {
  return (
    <MainRegion className="mx-auto flex min-h-dvh max-w-column flex-col justify-center p-4">
      <Panel className="flex flex-col items-center px-6 py-12 text-center">
        <TriangleAlert aria-hidden="true" className="size-12 text-amber" strokeWidth={1.25} />
        <h1 className="mt-5 text-xl">404 Page Not Found</h1>
        <p className="mt-2 text-balance text-muted">
          Did you forget to add the page to the router?
        </p>
        <Button variant="secondary" asChild className="mt-7">
          <Link href="/">Go to the dashboard</Link>
        </Button>
      </Panel>
    </MainRegion>
  )
}
