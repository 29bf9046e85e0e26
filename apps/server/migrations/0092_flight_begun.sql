-- A batch of a campaign names its process, and how many of its calls may have begun, in the order of contact_ids. The
-- others were not made: when the process is lost they are made by another. Null: all may have begun (rows of older versions).
alter table broadcast_flight add column process_id uuid, add column begun integer;
