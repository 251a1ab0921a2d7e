package library
import ("testing";"context";"os";"fmt";"time";"goalproof/arimaa")
func TestZT(t *testing.T){
 ctx:=context.Background()
 l,_:=Open(ctx,os.Getenv("ZZDB"))
 var key int64; var n int
 l.db.QueryRow("select key,count(*) n from position group by key order by n desc limit 1").Scan(&key,&n)
 var best arimaa.Position
 for g,_:=range l.Games(ctx,&Filter{},Sort{}) { a,_:=g.Played(); p:=a.Position(0); if half(p.Key())==key {best=p;break}}
 t0:=time.Now()
 for range 100 {l.Tree(ctx,&best,&Filter{})}
 fmt.Println(time.Since(t0)/100)
}
