/** Functions and triggers. */
export const FUNCTIONS = `
  -- In milliseconds, so that SQL and TypeScript compute with the same instant.
  create function product_now() returns timestamptz language sql volatile as $$
    select date_trunc('milliseconds',
      "productAnchor" + (clock_timestamp() - "realAnchor") * speed)
    from product_clock
  $$;

  ----------------------------------------------------------------------------------------- ledger

  -- Trigger of a partition that is merged or rolled up: copies rows that arrive late into the table
  -- that will take its place. Rejects other changes, because ledger rows never change.
  create function mirror_ledger_row() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      raise exception 'ledger rows of % cannot change while it is merged', tg_table_name;
    end if;
    execute format(
      'insert into %1$I select (jsonb_populate_record(null::%1$I, to_jsonb($1))).*', tg_argv[0])
      using new;
    return null;
  end $$;

  -- Trigger of rolled-up partitions: the ids of their credits are gone, so the key of the ledger cannot
  -- reject a second payment of such an interval.
  create function refuse_rolled_credit() returns trigger language plpgsql as $$
  begin
    if exists (
      select from wallet_activity a
      where a.bucket = new.bucket and a."userId" = new."userId" and a."createdAt" >= new."createdAt"
        and a."createdAt" < date_bin('24 hours', new."createdAt", to_timestamp(0)) + interval '24 hours'
        and a.id like 'credit:%-%' and split_part(a.id, ':', 2) = split_part(new.id, ':', 2)
        and split_part(new.id, ':', 3)::integer
          >= split_part(split_part(a.id, ':', 3), '-', 1)::integer
    ) then
      raise unique_violation using constraint = 'wallet_activity_rolled_up',
        message = 'the credit ' || new.id || ' is part of a rolled-up row';
    end if;
    return new;
  end $$;

  ------------------------------------------------------------------------------ log of changes

  -- The triggers name columns, so a statement that sets none of them costs nothing: a batch of credits
  -- writes no row. Balances change in post() only, which writes its row itself; pending rewards change with
  -- the status of a session and with a claim, which posts.
  create function log_member_change() returns trigger language plpgsql as $$
  begin
    insert into member_changes ("userId") values (new."userId");
    return null;
  end $$;
  create trigger mining_sessions_log_change
    after update of active, status, "hashRate", "startTime" on mining_sessions
    for each row execute function log_member_change();
  create function log_user_change() returns trigger language plpgsql as $$
  begin
    insert into member_changes ("userId") values (new.id);
    return null;
  end $$;
  create trigger users_log_change after update of "authEpoch", "miningBoost" on users
    for each row when (old."authEpoch" is distinct from new."authEpoch"
      or old."miningBoost" is distinct from new."miningBoost")
    execute function log_user_change();

  -- A population that is inserted at once is one row.
  create function log_new_sessions() returns trigger language plpgsql as $$
  begin
    if (select count(*) from added) > 1000 then
      insert into member_changes ("userId") values (0);
    else
      insert into member_changes ("userId") select "userId" from added;
    end if;
    return null;
  end $$;
  create trigger mining_sessions_log_new after insert on mining_sessions
    referencing new table as added for each statement execute function log_new_sessions();

  create function log_clock_change() returns trigger language plpgsql as $$
  begin
    insert into member_changes ("userId") values (0);
    return null;
  end $$;
  create trigger product_clock_log_change after update on product_clock
    for each row execute function log_clock_change();

  --------------------------------------------------------------------------------------- accounts

  create function end_push_subscriptions() returns trigger language plpgsql as $$
  begin
    delete from push_subscriptions where "userId" = new.id and epoch <> new."authEpoch";
    return null;
  end $$;
  create trigger users_end_push after update of "authEpoch" on users
    for each row when (old."authEpoch" is distinct from new."authEpoch")
    execute function end_push_subscriptions();

  create function delete_factors() returns trigger language plpgsql as $$
  begin
    delete from passkeys where "userId" = new.id;
    delete from second_factors where "userId" = new.id;
    return null;
  end $$;
  create trigger users_delete_factors after update of "deletedAt" on users
    for each row when (old."deletedAt" is null and new."deletedAt" is not null)
    execute function delete_factors();

  -- Nobody can hide what an operator did. "always": even with session_replication_role = replica; only
  -- the owner of the table can disable the trigger. Citus passes the name of the table.
  create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', coalesce(tg_argv[0], tg_table_name)
      using errcode = 'restrict_violation';
  end $$;
  create trigger operator_actions_append_only
    before update or delete or truncate on operator_actions
    for each statement execute function refuse_change();
  alter table operator_actions enable always trigger operator_actions_append_only;
`
