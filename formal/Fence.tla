------------------------------- MODULE Fence -------------------------------
(* The protocol of fence: a lease service that hands out tokens, a resource whose guard is sealed, checked and lost,       *)
(* and processes that may stand still for any time between any two of their steps. docs/model.md tells how to read it.     *)
(*                                                                                                                         *)
(* Nothing here asks whether a lease is still good by its holder's own clock: a process that is paused right after it      *)
(* asked goes on as if it had not been. Every acquisition may therefore act at any time after it was granted, and what is  *)
(* safe here is safe whatever the clocks do.                                                                               *)
EXTENDS Naturals

CONSTANTS
  Acquisitions,   \* 1..n; each is one holder, granted at most once, by a session of its own
  MaxWrites, MaxFailovers, MaxRestores,
  MaxHandovers    \* 0 or 1: whether there is a worker that is handed a grant

\* The rules. Each run of script/model drops at most one.
CONSTANTS
  WriteChecksGuard,            \* a write takes effect only under a check
  SealBeforeRead,              \* a lease raises the guard in a step of its own; otherwise its first check does
  HolderIsCompared,            \* equal tokens are not enough
  SealDrains,                  \* a seal waits for transactions whose check holds the resource's lock
  GrantOnlyAttaches,           \* a grant that was handed over never raises the guard
  CommitNeedsCheckStanding,    \* after a rollback to a savepoint that dropped the check, it is made again before COMMIT
  TransactionBeganAfterSeal,   \* what was read before the own seal does not count
  TimelineIsCompared,          \* after a failover the guard counts only once a confirmed holder has sealed again
  ConfirmationNamesTimeline    \* "confirmed" means: after this timeline had been seen

\* An assumption, not a rule: the lease service is not restored from a backup (its floor left where it was) in a story in
\* which the database also loses seals. Then nobody is left who remembers.
CONSTANT OneMemoryIsKept

VARIABLES
  owner,      \* the acquisition that the lease service takes for the holder, or Nobody
  token,      \* acquisition -> its token, 0 before it was granted
  next,       \* the token that the lease service gives next
  restored,   \* how often the lease service was restored
  db,         \* the primary: guard and data
  standby,    \* what the standby has replicated of it
  timeline,   \* the history that the primary continues
  confirmed,  \* acquisition -> the timeline it had seen when the service confirmed it last, 0 if never
  handed,     \* the acquisition whose grant the worker was handed, or Nobody
  tx,         \* writer -> the state of its transaction
  base,       \* writer -> the number of the write it read last, or Unread
  written,    \* how many writes were committed, lost ones included
  sealed      \* the highest token whose seal took effect

service == <<owner, token, next, restored>>
vars == <<service, db, standby, timeline, confirmed, handed, tx, base, written, sealed>>

Nobody == 0
Worker == 99                  \* another process, which has no lease
Writers == Acquisitions \cup {Worker}
GrantOf(w) == IF w = Worker THEN handed ELSE w

Unread == 99
NoGuard == [holder |-> Nobody, token |-> 0, timeline |-> 0]

Init ==
  /\ owner = Nobody /\ token = [a \in Acquisitions |-> 0] /\ next = 1 /\ restored = 0
  /\ db = [guard |-> NoGuard, data |-> [number |-> 0, by |-> Nobody]] /\ standby = db /\ timeline = 1
  /\ confirmed = [a \in Acquisitions |-> 0] /\ handed = Nobody
  /\ tx = [w \in Writers |-> "none"] /\ base = [w \in Writers |-> Unread]
  /\ written = 0 /\ sealed = 0

--------------------------------------------------------------------------------
\* Lease service

Acquire(a) ==
  /\ owner = Nobody /\ token[a] = 0
  /\ \A b \in Acquisitions : b < a => token[b] # 0        \* acquisitions are numbered as they come
  /\ owner' = a /\ token' = [token EXCEPT ![a] = next] /\ next' = next + 1
  /\ UNCHANGED <<restored, db, standby, timeline, confirmed, handed, tx, base, written, sealed>>

\* Released, expired, or revoked by mistake: the session is over, and its process may not know for as long as it likes.
SessionEnds ==
  /\ owner # Nobody /\ owner' = Nobody
  /\ UNCHANGED <<token, next, restored, db, standby, timeline, confirmed, handed, tx, base, written, sealed>>

\* From a backup: tokens are given a second time.
Restore ==
  /\ restored < MaxRestores /\ (OneMemoryIsKept => timeline = 1)
  /\ restored' = restored + 1 /\ owner' = Nobody /\ next' \in 1..(next - 1)
  /\ UNCHANGED <<token, db, standby, timeline, confirmed, handed, tx, base, written, sealed>>

\* The process sees the timeline, then asks. One step: a failover in between makes the number old, and old is refused.
Confirm(a) ==
  /\ owner = a /\ confirmed[a] # timeline /\ confirmed' = [confirmed EXCEPT ![a] = timeline]
  /\ UNCHANGED <<service, db, standby, timeline, handed, tx, base, written, sealed>>

IsConfirmed(a) == IF ConfirmationNamesTimeline THEN confirmed[a] = timeline ELSE confirmed[a] # 0

--------------------------------------------------------------------------------
\* The guard

GuardCounts == db.guard # NoGuard /\ (TimelineIsCompared => db.guard.timeline = timeline)

Matches(a) == GuardCounts /\ db.guard.token = token[a] /\ (HolderIsCompared => db.guard.holder = a)

Admits(a) == WriteChecksGuard => Matches(a)

\* The exclusive lock of a seal is granted when nobody has the shared lock of a check.
Drained == SealDrains => \A w \in Writers : tx[w] # "checked"

RaiseGuard(a) ==
  /\ db' = [db EXCEPT !.guard = [holder |-> a, token |-> token[a], timeline |-> timeline]]
  /\ sealed' = IF token[a] > sealed THEN token[a] ELSE sealed

Create(a) ==
  /\ token[a] # 0 /\ db.guard = NoGuard /\ IsConfirmed(a)
  /\ RaiseGuard(a)
  /\ UNCHANGED <<service, standby, timeline, confirmed, handed, tx, base, written>>

\* Sealing again after a failover is the case of equal holders.
Seal(a) ==
  /\ SealBeforeRead
  /\ token[a] # 0 /\ db.guard # NoGuard
  /\ token[a] > db.guard.token \/ (a = db.guard.holder /\ db.guard.timeline # timeline)
  /\ (TimelineIsCompared /\ db.guard.timeline # timeline) => IsConfirmed(a)
  /\ Drained
  /\ RaiseGuard(a)
  /\ UNCHANGED <<service, standby, timeline, confirmed, handed, tx, base, written>>

HandOver(a) ==
  /\ MaxHandovers > 0 /\ token[a] # 0 /\ handed = Nobody /\ handed' = a
  /\ UNCHANGED <<service, db, standby, timeline, confirmed, tx, base, written, sealed>>

--------------------------------------------------------------------------------
\* Transactions

\* none -> open or early (it began before its own seal) -> checked -> none. A rollback to a savepoint: checked -> dropped.
Begin(w) ==
  /\ GrantOf(w) # Nobody /\ token[GrantOf(w)] # 0 /\ tx[w] = "none"
  /\ tx' = [tx EXCEPT ![w] = IF Matches(GrantOf(w)) THEN "open" ELSE "early"]
  /\ UNCHANGED <<service, db, standby, timeline, confirmed, handed, base, written, sealed>>

Read(w) ==
  /\ tx[w] \in {"early", "open", "checked"} /\ base[w] # db.data.number
  /\ base' = [base EXCEPT ![w] = db.data.number]
  /\ UNCHANGED <<service, db, standby, timeline, confirmed, handed, tx, written, sealed>>

\* Twins only: who has no step to seal in raises with the first check, whatever was read before it.
MayRaise(w) == IF w = Worker THEN ~GrantOnlyAttaches ELSE ~SealBeforeRead

\* A refused check is no step here: the transaction stays as it is, until Rollback.
Check(w) ==
  /\ tx[w] \in {"early", "open", "dropped"}
  /\ tx' = [tx EXCEPT ![w] = "checked"]
  /\ \/ /\ Admits(GrantOf(w))
        /\ (WriteChecksGuard /\ SealBeforeRead /\ TransactionBeganAfterSeal) => tx[w] # "early"
        /\ UNCHANGED <<db, sealed>>
     \/ /\ MayRaise(w) /\ GuardCounts /\ token[GrantOf(w)] > db.guard.token /\ Drained
        /\ RaiseGuard(GrantOf(w))
  /\ UNCHANGED <<service, standby, timeline, confirmed, handed, base, written>>

\* The check's lock goes with the savepoint; the transaction goes on.
RollbackToSavepoint(w) ==
  /\ tx[w] = "checked" /\ tx' = [tx EXCEPT ![w] = "dropped"]
  /\ UNCHANGED <<service, db, standby, timeline, confirmed, handed, base, written, sealed>>

\* What was read without any check is forgotten with its transaction.
AfterEnd(w) == IF tx[w] \in {"early", "open"} THEN Unread ELSE base[w]

Rollback(w) ==
  /\ tx[w] # "none" /\ tx' = [tx EXCEPT ![w] = "none"] /\ base' = [base EXCEPT ![w] = AfterEnd(w)]
  /\ UNCHANGED <<service, db, standby, timeline, confirmed, handed, written, sealed>>

Commit(w) ==
  /\ tx[w] \in IF CommitNeedsCheckStanding THEN {"checked"} ELSE {"checked", "dropped"}
  /\ written < MaxWrites /\ written' = written + 1
  /\ db' = [db EXCEPT !.data = [number |-> written + 1, by |-> GrantOf(w)]]
  /\ base' = [base EXCEPT ![w] = written + 1]
  /\ tx' = [tx EXCEPT ![w] = "none"]
  /\ UNCHANGED <<service, standby, timeline, confirmed, handed, sealed>>

--------------------------------------------------------------------------------
\* Failover

Replicate ==
  /\ timeline <= MaxFailovers /\ standby # db /\ standby' = db
  /\ UNCHANGED <<service, db, timeline, confirmed, handed, tx, base, written, sealed>>

\* The standby is promoted as far as it has come. Open transactions die with the old primary.
Failover ==
  /\ timeline <= MaxFailovers /\ (OneMemoryIsKept => restored = 0)
  /\ db' = standby /\ timeline' = timeline + 1
  /\ tx' = [w \in Writers |-> "none"] /\ base' = [w \in Writers |-> AfterEnd(w)]
  /\ UNCHANGED <<service, standby, confirmed, handed, written, sealed>>

Next ==
  \/ SessionEnds \/ Restore \/ Replicate \/ Failover
  \/ \E a \in Acquisitions : Acquire(a) \/ Confirm(a) \/ Create(a) \/ Seal(a) \/ HandOver(a)
  \/ \E w \in Writers :
       Begin(w) \/ Read(w) \/ Check(w) \/ RollbackToSavepoint(w) \/ Rollback(w) \/ Commit(w)

Spec == Init /\ [][Next]_vars

--------------------------------------------------------------------------------
\* What holds in every state

TypesHold ==
  /\ owner \in Acquisitions \cup {Nobody} /\ token \in [Acquisitions -> Nat] /\ next \in Nat /\ restored \in 0..MaxRestores
  /\ \A d \in {db, standby} :
       /\ d.guard.holder \in Acquisitions \cup {Nobody} /\ d.guard.token \in Nat /\ d.guard.timeline \in 0..timeline
       /\ d.data.number \in 0..written /\ d.data.by \in Acquisitions \cup {Nobody}
  /\ timeline \in 1..(MaxFailovers + 1) /\ confirmed \in [Acquisitions -> 0..timeline]
  /\ handed \in Acquisitions \cup {Nobody}
  /\ tx \in [Writers -> {"none", "open", "early", "checked", "dropped"}]
  /\ base \in [Writers -> 0..MaxWrites \cup {Unread}]
  /\ written \in 0..MaxWrites /\ sealed \in Nat

\* 1. A guard of this timeline is never below a seal that took effect.
GuardNeverFalls == [](db.guard.timeline = timeline => db.guard.token >= sealed)

--------------------------------------------------------------------------------
\* What holds of every write that takes effect, numbered as in the design. The first two are the harm that a fence is there to
\* prevent, told without asking whether anybody checked: each twin must do one of them, and is asked for nothing else.

\* 2. Once a seal took effect, no write with a lower token does. From the effect on, so also from its acknowledgement on.
NoOlderWriteAfterASeal == [][\A w \in Writers : Commit(w) => token[GrantOf(w)] >= sealed]_vars

\* 5. What a writer read is not changed by another holder before it writes: no update of either is lost.
NoUpdateIsLost ==
  [][\A w \in Writers :
       (Commit(w) /\ base[w] # Unread) => (db.data.by = GrantOf(w) \/ db.data.number <= base[w])]_vars

\* 3 and 4. Check and change are one step: when the change takes effect, the guard is of this timeline and the writer's own,
\* not only of its token.
CheckAndChangeAreOneStep ==
  [][\A w \in Writers : Commit(w) => (db.guard.timeline = timeline /\ db.guard.holder = GrantOf(w))]_vars

--------------------------------------------------------------------------------
\* What must be reachable, or all this would hold of nothing

NeverAWriteByTheWorker == [][~Commit(Worker)]_vars
NeverAWriteAfterAFailover == [][\A w \in Writers : Commit(w) => timeline = 1]_vars
NeverAWriteOnTheOtherHoldersWrite ==
  [][\A w \in Writers : Commit(w) => ~(db.data.by \notin {Nobody, GrantOf(w)} /\ base[w] = db.data.number)]_vars
NeverAStaleWriteRefused ==
  [](\A w \in Writers : (tx[w] = "open" /\ base[w] # Unread /\ token[GrantOf(w)] < sealed) => ENABLED Check(w))
NeverALostSeal == [](db.guard.token >= sealed)
NeverATokenTwice == [](\A a, b \in Acquisitions : (a # b /\ token[a] # 0) => token[a] # token[b])
NeverACommitAfterASavepoint == [](\A w \in Writers : tx[w] = "dropped" => ~Admits(GrantOf(w)))
=============================================================================
