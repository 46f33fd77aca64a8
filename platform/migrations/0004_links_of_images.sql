-- The biometrics link for which an image was taken, for the event `biometrics.erased` after its retention time. Null for an image that an
-- earlier version saved in a transaction with several links: its erasure causes no event.
alter table images add column link_id text;
update images set link_id = link.id
from (select tenant, transaction_id, min(id) as id from biometrics_links group by tenant, transaction_id having count(*) = 1) as link
where images.tenant = link.tenant and images.owner = link.transaction_id and images.deleted_at is null;
