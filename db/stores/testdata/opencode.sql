-- Tables and rows of a database that opencode 1.18.33 made: a conversation of two turns,
-- one in which a tool failed, and a fork of that. Directories are others, and columns that are
-- not read are left out of the rows.
CREATE TABLE `project` (
  `id` text PRIMARY KEY,
  `worktree` text NOT NULL,
  `vcs` text,
  `name` text,
  `icon_url` text,
  `icon_url_override` text,
  `icon_color` text,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `time_initialized` integer,
  `sandboxes` text NOT NULL,
  `commands` text
);
CREATE TABLE `session` (
  `id` text PRIMARY KEY,
  `project_id` text NOT NULL,
  `workspace_id` text,
  `parent_id` text,
  `slug` text NOT NULL,
  `directory` text NOT NULL,
  `path` text,
  `title` text NOT NULL,
  `version` text NOT NULL,
  `share_url` text,
  `summary_additions` integer,
  `summary_deletions` integer,
  `summary_files` integer,
  `summary_diffs` text,
  `metadata` text,
  `cost` real DEFAULT 0 NOT NULL,
  `tokens_input` integer DEFAULT 0 NOT NULL,
  `tokens_output` integer DEFAULT 0 NOT NULL,
  `tokens_reasoning` integer DEFAULT 0 NOT NULL,
  `tokens_cache_read` integer DEFAULT 0 NOT NULL,
  `tokens_cache_write` integer DEFAULT 0 NOT NULL,
  `revert` text,
  `permission` text,
  `agent` text,
  `model` text,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `time_compacting` integer,
  `time_archived` integer,
  CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
);
CREATE TABLE `message` (
  `id` text PRIMARY KEY,
  `session_id` text NOT NULL,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `data` text NOT NULL,
  CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
);
CREATE TABLE `part` (
  `id` text PRIMARY KEY,
  `message_id` text NOT NULL,
  `session_id` text NOT NULL,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `data` text NOT NULL,
  CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
);
CREATE INDEX `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`);
CREATE INDEX `part_message_id_id_idx` ON `part` (`message_id`,`id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
CREATE INDEX `session_parent_idx` ON `session` (`parent_id`);
CREATE INDEX `session_project_idx` ON `session` (`project_id`);
CREATE INDEX `session_workspace_idx` ON `session` (`workspace_id`);
INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) VALUES ('global', '/', 1796031174750, 1796031326093, '[]');
INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES ('ses_dd43309fdffeCtfHRpgUzA0zwF', 'global', NULL, 'brave-meadow', '/home/me/proj', 'codeword is ZEBRA-17 (2 messages)', '1.18.33', 1796031182349, 1796031282228);
INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES ('ses_dd431405fffejp4th5dJrC02t7', 'global', NULL, 'tidy-circuit', '/home/me/proj', 'no codeword (2 messages)', '1.18.33', 1796031299488, 1796031317088);
INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES ('ses_dd430c9f0ffe2CHo9SX3zDNrDp', 'global', NULL, 'mighty-canyon', '/home/me/proj', 'no codeword (2 messages) (fork #1)', '1.18.33', 1796031329808, 1796031348153);
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcd12d5001gR2eLtddN43ADj', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031189717, 1796031229674, '{"role":"user","time":{"created":1796031189717},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcda40d001ekm7X5AbMeHE3q', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031226893, 1796031246144, '{"parentID":"msg_22bcd12d5001gR2eLtddN43ADj","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031226893,"completed":1796031246121},"finish":"stop"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bce65b70019a83FXE0cfsKVd', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031276482, 1796031282245, '{"role":"user","time":{"created":1796031276482},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bce7bdb001HEBNDKS2Cmjkr7', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031282139, 1796031282866, '{"parentID":"msg_22bce65b70019a83FXE0cfsKVd","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031282139,"completed":1796031282841},"finish":"stop"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcec494001o143G2yZtf04dZ', 'ses_dd431405fffejp4th5dJrC02t7', 1796031300756, 1796031315881, '{"role":"user","time":{"created":1796031300756},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcee0c4001kx79LwY0Wv11Pf', 'ses_dd431405fffejp4th5dJrC02t7', 1796031307972, 1796031315714, '{"parentID":"msg_22bcec494001o143G2yZtf04dZ","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031307972,"completed":1796031315700},"finish":"tool-calls"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bceff20001tV7HrvfJ2R2Dwq', 'ses_dd431405fffejp4th5dJrC02t7', 1796031315744, 1796031316714, '{"parentID":"msg_22bcec494001o143G2yZtf04dZ","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031315744,"completed":1796031316713},"finish":"stop"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcf373e001880IlrQQg0KaoL', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031300756, 1796031330131, '{"role":"user","time":{"created":1796031300756},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcf56a9001Mmsf2cBLJmOH7i', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031307972, 1796031338166, '{"parentID":"msg_22bcf373e001880IlrQQg0KaoL","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031307972,"completed":1796031315700},"finish":"tool-calls"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcf57a70018i7D5G5hYUSZpj', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031315744, 1796031338408, '{"parentID":"msg_22bcf373e001880IlrQQg0KaoL","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031315744,"completed":1796031316713},"finish":"stop"}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcf5b59001dYkAdsl1v5wsKw', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031339353, 1796031348409, '{"role":"user","time":{"created":1796031339353},"agent":"build","model":{"providerID":"fake","modelID":"fake-model"},"summary":{"diffs":[]}}');
INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_22bcf5c83001FUjNiCbiQ14JEQ', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031339651, 1796031347769, '{"parentID":"msg_22bcf5b59001dYkAdsl1v5wsKw","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/me/proj","root":"/"},"cost":0,"tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"fake-model","providerID":"fake","time":{"created":1796031339651,"completed":1796031347768},"finish":"stop"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcd1531001Ontv3yG0TGBOpO', 'msg_22bcd12d5001gR2eLtddN43ADj', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031225864, 1796031226010, '{"type":"text","text":"\"remember codeword ZEBRA-17\""}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcded50001BxYfWYWjp6Nje1', 'msg_22bcda40d001ekm7X5AbMeHE3q', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031245648, 1796031245831, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcdee28001nWOWqA65bm7ZF6', 'msg_22bcda40d001ekm7X5AbMeHE3q', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031245864, 1796031246002, '{"type":"text","text":"codeword is ZEBRA-17 (1 messages)","time":{"start":1796031245864,"end":1796031245953}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcdeeb5001badbXY6iTRGuXp', 'msg_22bcda40d001ekm7X5AbMeHE3q', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031246005, 1796031246076, '{"reason":"stop","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bce65d10018121sxfnz1ZxOV', 'msg_22bce65b70019a83FXE0cfsKVd', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031282115, 1796031282117, '{"type":"text","text":"\"tell me the word\""}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bce7d9b001Ix62Sr62ot03t4', 'msg_22bce7bdb001HEBNDKS2Cmjkr7', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031282588, 1796031282597, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bce7dbb001bfjh0huhkzJ379', 'msg_22bce7bdb001HEBNDKS2Cmjkr7', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031282626, 1796031282771, '{"type":"text","text":"codeword is ZEBRA-17 (3 messages)","time":{"start":1796031282625,"end":1796031282770}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bce7e6b001MK9WjF2OzjaX97', 'msg_22bce7bdb001HEBNDKS2Cmjkr7', 'ses_dd43309fdffeCtfHRpgUzA0zwF', 1796031282796, 1796031282803, '{"reason":"stop","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcec4e40017DQuOepAmLC7gR', 'msg_22bcec494001o143G2yZtf04dZ', 'ses_dd431405fffejp4th5dJrC02t7', 1796031307843, 1796031307853, '{"type":"text","text":"\"[[tool bash {\\\"command\\\":\\\"ls -la\\\",\\\"description\\\":\\\"list\\\"}]] second session\""}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcefbd1001mHmQ1Y2RPPPxkd', 'msg_22bcee0c4001kx79LwY0Wv11Pf', 'ses_dd431405fffejp4th5dJrC02t7', 1796031314898, 1796031315197, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcefd0a001j2zYfjIT7hHb9R', 'msg_22bcee0c4001kx79LwY0Wv11Pf', 'ses_dd431405fffejp4th5dJrC02t7', 1796031315210, 1796031315314, '{"type":"text","text":"no codeword (1 messages)","time":{"start":1796031315210,"end":1796031315307}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcefd3b001VDjvkKgM98ilTT', 'msg_22bcee0c4001kx79LwY0Wv11Pf', 'ses_dd431405fffejp4th5dJrC02t7', 1796031315259, 1796031315515, '{"type":"tool","tool":"invalid","callID":"call_18ecc8f7103253b60007","state":{"status":"completed","input":{"tool":"bash","error":"Invalid input for tool bash: JSON parsing failed: Text: {\\\"command\\\":\\\"ls -la\\\",\\\"description\\\":\\\"list\\\"}.\nError message: JSON Parse error: Unrecognized token ''\\''"},"output":"The arguments provided to the tool are invalid: Invalid input for tool bash: JSON parsing failed: Text: {\\\"command\\\":\\\"ls -la\\\",\\\"description\\\":\\\"list\\\"}.\nError message: JSON Parse error: Unrecognized token ''\\''","metadata":{"truncated":false},"title":"Invalid Tool","time":{"start":1796031315381,"end":1796031315492}}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcefe550017nyw7soQEt5Xkq', 'msg_22bcee0c4001kx79LwY0Wv11Pf', 'ses_dd431405fffejp4th5dJrC02t7', 1796031315541, 1796031315593, '{"reason":"tool-calls","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf0171001nJ5ieWF7bKNfFk', 'msg_22bceff20001tV7HrvfJ2R2Dwq', 'ses_dd431405fffejp4th5dJrC02t7', 1796031316337, 1796031316356, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf01b3001WXTAR5j7tsT3I1', 'msg_22bceff20001tV7HrvfJ2R2Dwq', 'ses_dd431405fffejp4th5dJrC02t7', 1796031316408, 1796031316588, '{"type":"text","text":"tool done, no codeword (3 messages)","time":{"start":1796031316403,"end":1796031316561}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf0285001yFU6Woxc0TReXe', 'msg_22bceff20001tV7HrvfJ2R2Dwq', 'ses_dd431405fffejp4th5dJrC02t7', 1796031316613, 1796031316633, '{"reason":"stop","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf568b0011TETGHGtugT7zE', 'msg_22bcf373e001880IlrQQg0KaoL', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338123, 1796031338132, '{"type":"text","text":"\"[[tool bash {\\\"command\\\":\\\"ls -la\\\",\\\"description\\\":\\\"list\\\"}]] second session\""}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf56c1001wPz2S3IGSe1keH', 'msg_22bcf56a9001Mmsf2cBLJmOH7i', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338177, 1796031338199, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf56f7001mgsX0BFzr71Re5', 'msg_22bcf56a9001Mmsf2cBLJmOH7i', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338231, 1796031338290, '{"type":"text","text":"no codeword (1 messages)","time":{"start":1796031315210,"end":1796031315307}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf5743001jEC0xBHKr4J0ol', 'msg_22bcf56a9001Mmsf2cBLJmOH7i', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338307, 1796031338309, '{"type":"tool","tool":"invalid","callID":"call_18ecc8f7103253b60007","state":{"status":"completed","input":{"tool":"bash","error":"Invalid input for tool bash: JSON parsing failed: Text: {\\\"command\\\":\\\"ls -la\\\",\\\"description\\\":\\\"list\\\"}.\nError message: JSON Parse error: Unrecognized token ''\\''"},"output":"The arguments provided to the tool are invalid: Invalid input for tool bash: JSON parsing failed: Text: {\\\"command\\\":\\\"ls -la\\\",\\\"description\\\":\\\"list\\\"}.\nError message: JSON Parse error: Unrecognized token ''\\''","metadata":{"truncated":false},"title":"Invalid Tool","time":{"start":1796031315381,"end":1796031315492}}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf5746001dzGGAINxr1EvJr', 'msg_22bcf56a9001Mmsf2cBLJmOH7i', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338310, 1796031338369, '{"reason":"tool-calls","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf57a9001bK2n8MDbbxYM0D', 'msg_22bcf57a70018i7D5G5hYUSZpj', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338409, 1796031338492, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf57fe001JkT5IAP7zajo6U', 'msg_22bcf57a70018i7D5G5hYUSZpj', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338494, 1796031338531, '{"type":"text","text":"tool done, no codeword (3 messages)","time":{"start":1796031316403,"end":1796031316561}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf582e001TzqRBbwPmfbR9Z', 'msg_22bcf57a70018i7D5G5hYUSZpj', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031338542, 1796031338553, '{"reason":"stop","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf5b8c001Pvxj690HYi80QU', 'msg_22bcf5b59001dYkAdsl1v5wsKw', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031339454, 1796031339456, '{"type":"text","text":"\"and in a fork?\""}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf7afa00126WTRXIewDKKsC', 'msg_22bcf5c83001FUjNiCbiQ14JEQ', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031347451, 1796031347464, '{"type":"step-start"}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf7b11001uqPpgTF8776pU2', 'msg_22bcf5c83001FUjNiCbiQ14JEQ', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031347473, 1796031347559, '{"type":"text","text":"no codeword (5 messages)","time":{"start":1796031347473,"end":1796031347523}}');
INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_22bcf7bdd00134e0xMqTtTFyE3', 'msg_22bcf5c83001FUjNiCbiQ14JEQ', 'ses_dd430c9f0ffe2CHo9SX3zDNrDp', 1796031347677, 1796031347687, '{"reason":"stop","type":"step-finish","tokens":{"total":20,"input":10,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
