-- Mails about approvals and money owed cannot be ended: choices made by the old switch, or by an old link, do not count.
delete from mail_switches where kind = 'attention';
