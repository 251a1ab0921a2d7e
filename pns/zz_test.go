package pns
import ("testing";"os";"path/filepath";"fmt";"context";"time";"sort"
"goalproof/arimaa";"goalproof/internal/published")
func TestZZ(t *testing.T){
 for _,sub:=range []string{"puzzles","win-in-2/reduced","win-in-2/big"}{
 dir:=filepath.Join(published.Dir(t),sub)
 es,_:=os.ReadDir(dir)
 s,_:=New(1<<30)
 var ds []time.Duration; cnt:=map[string]int{}
 for _,e:=range es{ b,_:=os.ReadFile(filepath.Join(dir,e.Name())); d,err:=arimaa.ReadPositions(e.Name(),string(b)); if err!=nil{t.Fatal(err)}
  t0:=time.Now()
  ctx,c:=context.WithTimeout(context.Background(),10*time.Second)
  var r Result
  n:=1
  var nodes uint64
  for n=1;n<=2;n++{ r=s.Solve(ctx,Question{Position:d[0].Position,N:n}); nodes+=r.Nodes; if r.Verdict!=2{break} }
  c()
  el:=time.Since(t0); ds=append(ds,el); cnt[fmt.Sprint(r.Verdict,n)]++
  fmt.Println(sub,e.Name(),r.Verdict,n,r.Turn,nodes,el.Round(time.Millisecond), r.ProofNumber,r.DisproofNumber)
 }
 sort.Slice(ds,func(i,j int)bool{return ds[i]<ds[j]})
 fmt.Println(sub,cnt,"median",ds[len(ds)/2],"max",ds[len(ds)-1])
 }
}
