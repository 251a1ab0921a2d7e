package signature

// Question is a question whose answer takes work.
type Question struct {
	Name  string
	Board string
	Turns int // of the win that is looked for
}

// Solver is a fixed set of questions: few pieces and many, proved and disproved, two turns and
// three. The boards are composed, drawn at random, or come from games of random turns.
var Solver = []Question{
	{"camel and crowd", "g [ mr D M  r     D       r           c          R           R     ]", 2},
	{"far from home", "g [CEm  r       c        d rCH H            R   R          R      h]", 2},
	{"open, yes", "s [        MC c       r    R  r    HC h                            ]", 2},
	{"open, no", "g [cr        e    r  H     c C         DR     d R           H      ]", 2},
	{"far apart", "g [HmHd ED Rr                             D            R     C     ]", 2},
	{"free rabbit", "g [C  r             r  H  r    r       c   R h  M d                ]", 2},
	{"crowded on top", "g [hreCrDr     E r  d rD   m      r r     R       RH    d         h]", 2},
	{"24 pieces", "g [rCCEhr dMr  c e  d rR rH   mR     R      D       c   D   H     R]", 2},
	{"20 pieces", "g [rchEh    R    r   r      Cc      DM      H  e    rR HR    R C   ]", 2},
	{"silver runs", "s [C  r M     rE   He  r      r      cm R  RD                      ]", 2},
	{"composed", "g [r       Rr     r   E dr                    e  r        RR  RR  R]", 2},
	{"full board 12", "s [ c eh c   h     rr    d D r rd rrrRRC  rRR  R RE  D CM R HH    R]", 2},
	{"full board 17", "s [      dmcrhR h  d   crr  RR rRrr DrrHRe MR   RHR  CE         D C]", 2},
	{"full board 27", "g [ mdrhh r   e   cr r    rr cM R d R  rDHRr D  CRRH R  R   E  C   ]", 2},
	{"full board 39", "g [r   e  hrdhd   rrR m   cR Rr Mr   H CRrR R rH D  CER  R     D   ]", 2},
	{"full board 42", "s [ d h r  r ehmc   Rc    r Rr   rr Rrr  dCRR E HRR D  M  R  DH C  ]", 2},
	{"three turns, yes", "s [ r   r     e       h              M                          R  ]", 3},
	{"three turns, no", "g [Hrr  ch    md      c      r r   R            e        d         ]", 3},
}

// EngineDepth is how deep the engine searches the positions, in steps.
const EngineDepth = 6

// Engine are positions that the engine searches in addition; they come from games that it played
// against itself.
var Engine = []Question{
	{"opening", "s [rrrrrrrrc d dc h   e  h  mE                   H RHDM D RRRRCCRRR]", 0},
	{"camels lost", "s [r r  rrr rdrrch    dM h          ce     mE  C H RHDC DRRRRR  R R]", 0},
	{"horse taken deep", "s [r rr rrrrrc  d     c  hhmE      Hd      RM e  H  CDRRCD  RR  RRR]", 0},
	{"elephants apart", "g [r r r  rrrRd  r H  rE hhd    c   R R    Cm e  H D  M CD  RR  RRR]", 0},
	{"many captures", "s [r r rr r rd  crrhh cd H             REm  H Me   RRDC DC R R  RRR]", 0},
	{"goals near", "g [r r c    rddrr   h eHrcr       r CE R  Rh     C RRD  D R RR  R  ]", 0},
}
