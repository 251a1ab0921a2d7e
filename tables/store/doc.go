// Package store keeps facts about positions on disk, for good, in the database Badger. A program
// that is killed, or whose disk is full, loses at most what it has not synced, and never truth.
//
// # Why it is right
//
// Facts are merged, never replaced: the least number proved, the greatest refuted. Merging is
// commutative, associative and idempotent, so batches may come in any order, twice, and from
// several stores. A fact that contradicts another is a [tables.Contradiction]: the record stays,
// both witnesses get a record of their own, and the store accepts nothing more.
//
// One goroutine writes. It merges each fact that [Store.Put] has gathered with its record, and
// writes the changed records in one transaction, which is durable before it counts; nobody else
// changes records. [Store.Sync] waits for it, and all who wait share it. Twice a second, and at
// Close, the store writes by itself.
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
//   - Damage. Badger reads a damaged block as if its keys had never existed, takes a damaged end of
//     a log or of MANIFEST for a crash, and ends the process over some other damage. So all files of
//     a closed store are checked against their checksums before Badger opens them: [ErrDamaged]
//     names the file. After a kill the next writer recovers the store: before anything is compacted it
//     verifies Badger's checksums of all tables, and compares the version with MARK. An older
//     version is [ErrLost]. MARK is written after a batch is durable, so it never names a version
//     that is not.
//   - Lost tables. If Badger's compaction cannot create a table, for want of room, file handles or
//     inodes, it drops the table, deletes its inputs, and reports no error. So each batch writes
//     the totals, which are compared with the facts in the background after opening, and whenever
//     all facts are read. A difference is ErrLost, which ends writing.
//   - Full disks. Badger writes to mapped files, where a full disk is a fault that ends the
//     process. So the store checks the free room before each batch and every 20 ms. Below a mark it
//     stops with [ErrFull] and stays as it is: what was acknowledged is durable, and closing would
//     write more. The process should end then; Badger still finishes its current work.
//   - Errors. Badger's goroutines log errors and retry. The first error ends writing here.
//   - Names. Badger does not sync its directory after it has begun a log, so the store does.
//
// Every record has a checksum over its name and content, verified on reading. So unnoticed damage
// may hide a fact, or show an older one, which was true as well; it never makes up a fact.
//
// Opening for reading only writes nothing, and many processes may do it at once. Badger cannot do
// it after a writer was killed: [ErrNotClosed]. A writer excludes all others: the store and Badger
// lock their directories.
//
// # What neither gives
//
//   - If another program fills the disk within 20 ms, Badger may fault: the process ends with
//     SIGBUS. The same goes for quotas, of which the system does not say how much is left. What was
//     acknowledged is durable even then.
//   - In a store whose writer was killed, a truncated table ends the process at opening with a stack
//     trace, and damage to MARK and the last log together goes unnoticed.
//   - Damage to files of an open store is noticed late, or as Badger notices it.
//   - On file systems that reorder changes to directories (ext4 and XFS do not), a power cut may
//     lose the name of a table that MANIFEST names: the store does not open.
//
// # What it takes
//
// docs/store.md has figures. A memtable takes a sixth of Options.Memory, and there may be three;
// tables under construction take up to 4 MiB each, a dozen at most; GC takes memory on top of that.
// Tables are mapped: the system counts what was read of them as memory of the process.
package store
