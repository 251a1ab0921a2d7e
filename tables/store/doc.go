// Package store keeps facts about positions on disk, for good, in the database Badger. A program
// that is killed, or whose disk is full, loses at most what it has not synced, and never truth.
//
// # Why it is right
//
// Facts are merged, never replaced: the least number proved, the greatest refuted. That is
// commutative, associative and idempotent, so batches may come in any order, twice, and from
// several stores. A fact that denies another is a [tables.Contradiction]: the record stays as it
// is, both witnesses are written to a record of their own, and the store takes nothing more.
//
// One goroutine writes. It takes what [Store.Put] has gathered, merges each fact with its record,
// and writes those that changed in one transaction, which is durable before it counts; nobody else
// changes a record, so nothing comes between its reading and its writing. [Store.Sync] waits for
// it, and all who wait share it. Twice a second, and at Close, the store writes by itself.
//
// # On disk
//
//	STORE    versions, and in a closed store the files of Badger with their checksums
//	MARK     the version of the database that is durable, while the store is open
//	badger/  Badger's files: tables (.sst), MANIFEST, logs of what is not in tables yet (.mem), and an empty value log
//
// The records, numbers in turns; each batch is a version:
//
//	'f' key → proved within, refuted up to, code of a winning turn, CRC-32C of all before
//	'c' key → known and new fact of a contradiction, CRC-32C of all before
//	'n' key → a note ([Store.Note]), CRC-32C of all before
//	't'     → totals: the number of facts, the sum of the CRC-64s of all facts, CRC-32C of all before
//
// # What Badger guarantees
//
// Badger appends a transaction to a log and syncs it (SyncWrites; DB.Sync syncs the newest log
// only, and a log may end within what was put). After a crash it takes whole transactions from the
// logs and drops the rest. A table does not change, and counts from the moment in which MANIFEST
// names it; older files go only then. So compaction may end at any moment. The store is managed
// (OpenManaged) so that readers do not wait for the writer's sync.
//
// # What the store adds
//
// What Badger 4.9.6 does not promise, or gets wrong:
//
//   - Damage. Badger reads a damaged block as if its keys had never been there, takes the damaged
//     end of a log or of MANIFEST for a crash, and ends the process over some other damage. So all
//     files of a closed store are compared with their checksums before Badger sees them:
//     [ErrDamaged] names the file. When a writer was killed, the next one recovers the store: it
//     compares Badger's checksums of all tables, and the version with MARK, before anything is
//     compacted. An older version is [ErrLost]. MARK is written after a batch is durable, so it
//     asks for nothing that was not.
//   - Lost tables. When a table cannot be created, for want of room, file handles or inodes,
//     Badger's compaction drops it, deletes the tables that it was made of, and reports no error.
//     So the totals are written with each batch, and compared with the facts in the background
//     after opening, and whenever all facts are read. A difference is ErrLost, which ends writing.
//   - Full disks. Badger writes to mapped files, where a full disk is a fault that ends the
//     process. So the store looks at the room on the disk before each batch and every 20 ms. Below
//     a mark it stops with [ErrFull] and is left as it is: what was acknowledged is durable, and
//     closing would write more. The process should end then. Badger still finishes what it is at.
//   - Errors. Badger's own goroutines log them, and try again. The first error ends writing here.
//   - Names. Badger does not sync its directory after it has begun a log, so the store does.
//
// Every record has a checksum over its name and content, which is compared when it is read. So
// damage that nothing else notices may hide a fact, or show an older one, which was true as well;
// it does not make another fact.
//
// Opening for reading only writes nothing, and many processes may do it at once. Badger cannot do
// it after a writer was killed: [ErrNotClosed]. A writer excludes all others: the store and Badger
// lock their directories.
//
// # What neither gives
//
//   - If another program fills the disk so fast that nothing is left within 20 ms, Badger may
//     fault: the process ends with SIGBUS. The same goes for quotas, of which the system does not
//     say how much is left. What was acknowledged is durable even then.
//   - In a store whose writer was killed, a table that was cut short ends the process at opening
//     with a stack trace, and damage to MARK and the last log together is not noticed.
//   - Damage to files while the store is open is noticed late, or by Badger in its way.
//   - On file systems that do not keep the order of changes to directories (ext4 and XFS do), a
//     power cut may lose the name of a table that MANIFEST names: the store does not open.
//
// # What it takes
//
// docs/store.md has the figures. A memtable takes a sixth of Options.Memory, and there may be
// three; tables that are built take up to 4 MiB each, a dozen at the most, and the collector's room
// comes on top. Tables are mapped: the system counts what has been read of them as memory of the
// process.
package store
