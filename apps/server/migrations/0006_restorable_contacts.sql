-- A dump of PostgreSQL's own (pg_dump) is read back with an empty search_path, where the function of the generated column
-- did not find the function that it called: not one contact could be restored. So it calls nothing of ours.
create or replace function contact_document(
  id uuid, name text, email text, phone text, notes text, channel_type text, external_id text, tags text[],
  attributes json, opted_out_at timestamptz, last_seen_at timestamptz, created_at timestamptz
) returns text language plpgsql immutable parallel safe as $$
begin
  return json_build_object(
    'id', id, 'name', name, 'email', email, 'phone', phone, 'notes', notes,
    'channelType', channel_type, 'externalId', external_id, 'tags', tags, 'attributes', attributes,
    'optedOut', opted_out_at is not null,
    'optedOutAt', to_char(opted_out_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'lastSeenAt', to_char(last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;
