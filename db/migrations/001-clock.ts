import type { Knex } from 'knex'

/**
 * Product time: the database's clock, which a demo may run faster. One row holds its anchors and
 * its speed. Only `product_now()` reads it, truncated to milliseconds so that SQL and TypeScript
 * compute with the same instant.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table product_clock (
      id boolean primary key default true check (id),
      "realAnchor" timestamptz not null,
      "productAnchor" timestamptz not null,
      speed double precision not null check (speed > 0)
    );
    insert into product_clock ("realAnchor", "productAnchor", speed)
      select t, t, 1 from clock_timestamp() as t;
    create function product_now() returns timestamptz language sql volatile as $$
      select date_trunc('milliseconds',
        "productAnchor" + (clock_timestamp() - "realAnchor") * speed)
      from product_clock
    $$;
  `)
}
